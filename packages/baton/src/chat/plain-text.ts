/** Text of others without what steers a terminal: of the controls, line ends and tabs stay. */
export function plainText(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
	return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}
