import { readFacts } from "./read-message";

const ABOUT_A_FORM =
	/\b(?:fill|form|fields?|submit|sign me up|register me|apply|application|tick|untick|check the|uncheck|select the|choose the)\b/i;

/** Whether a message is work on a form rather than talk. */
export function isFormMessage(message: string, document: string | undefined): boolean {
	if (document !== undefined || ABOUT_A_FORM.test(message)) return true;
	// Who gives two things that forms ask for, and an address among them, wants them put somewhere.
	const { email, phone, ...others } = readFacts(message);
	return (email !== undefined || phone !== undefined) && Object.keys(others).length > 0;
}
