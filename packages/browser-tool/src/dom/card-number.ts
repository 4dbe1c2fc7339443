const DIGIT_RUN = /(?<![\d.])\d(?:[ \-.]?\d){12,18}(?![\d])/g;

/** Whether the digits are a card number's, by their length and their check digit. */
export function isCardNumber(text: string): boolean {
	const digits = text.replace(/[ \-.]/g, "");
	if (!/^\d{13,19}$/.test(digits) || /^(\d)\1+$/.test(digits)) return false;
	let sum = 0;
	for (let i = 0; i < digits.length; i++) {
		const digit = Number(digits[digits.length - 1 - i]);
		const doubled = i % 2 === 1 ? digit * 2 : digit;
		sum += doubled > 9 ? doubled - 9 : doubled;
	}
	return sum % 10 === 0;
}

/** The text with every card number in it masked, wherever on the page it stood. */
export function hideCardNumbers(text: string): string {
	if (text.length < 13) return text;
	return text.replace(DIGIT_RUN, (run) => (isCardNumber(run) ? MASK : run));
}

export const MASK = "••••";
