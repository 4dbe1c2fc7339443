export type Json = Record<string, unknown>;

/** A message of a person, as a page sends it. */
export const said = (text: string, id = crypto.randomUUID()) => ({
	id,
	role: "user",
	parts: [{ type: "text", text }],
});

/** Posts to a path of the web app; a text goes as it is. */
export const postTo = (url: string, path: string, body: unknown, headers: Json = {}) =>
	fetch(`${url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", ...(headers as Record<string, string>) },
		body: typeof body === "string" ? body : JSON.stringify(body),
	});

/** The chunks of an answer. */
export async function chunksOf(response: Response): Promise<Json[]> {
	const text = await response.text();
	return text
		.split("\n")
		.filter((line) => line.startsWith("data: {"))
		.map((line) => JSON.parse(line.slice(6)) as Json);
}
