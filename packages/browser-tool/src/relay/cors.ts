/** Headers that let a page of an allowed origin in. An origin that is not listed gets none. */
export function corsHeaders(
	request: Request,
	allowedOrigins: readonly string[],
): Record<string, string> {
	const vary = { Vary: "Origin" };
	const origin = request.headers.get("origin");
	if (origin === null || !allowedOrigins.includes(origin)) return vary;
	return {
		...vary,
		"Access-Control-Allow-Origin": origin,
		"Access-Control-Allow-Methods": "GET, POST",
		"Access-Control-Allow-Headers": "Authorization, Content-Type, Last-Event-ID",
		"Access-Control-Max-Age": "600",
	};
}
