/** What a field of the form is, for whoever draws it. */
export type FieldDefinition = {
	name: string;
	label: string;
	hint?: string;
	required?: boolean;
	/** Two fit beside each other. */
	half?: boolean;
} & (
	| {
			kind:
				| "text"
				| "email"
				| "tel"
				| "url"
				| "month"
				| "time"
				| "datetime-local"
				| "password"
				| "color"
				| "file";
			placeholder?: string;
			autoComplete?: string;
			pattern?: string;
			accept?: string;
	  }
	| { kind: "number" | "range"; min: number; max: number; step?: number; unit?: string }
	| { kind: "textarea"; maxLength: number; placeholder?: string }
	| { kind: "select"; options: readonly OptionGroup[] }
	| { kind: "radio" | "checkboxes" | "listbox"; options: readonly string[] }
	| { kind: "combobox"; options: readonly string[]; placeholder?: string }
	| { kind: "switch" | "checkbox" }
);

interface OptionGroup {
	label: string;
	options: readonly string[];
}

interface Section {
	title: string;
	text: string;
	fields: readonly FieldDefinition[];
}

/** A job application, with one of every kind of field there is. */
export const SECTIONS: readonly Section[] = [
	{
		title: "About you",
		text: "How we address you, and where we reach you.",
		fields: [
			{
				kind: "text",
				name: "name",
				label: "Full name",
				required: true,
				half: true,
				autoComplete: "name",
			},
			{
				kind: "email",
				name: "email",
				label: "Email",
				required: true,
				half: true,
				autoComplete: "email",
			},
			{
				kind: "tel",
				name: "phone",
				label: "Phone",
				half: true,
				autoComplete: "tel",
				placeholder: "+44 20 7946 0000",
				pattern: "[+0-9 ()\\-]{6,24}",
				hint: "Digits, spaces and +",
			},
			{
				kind: "combobox",
				name: "country",
				label: "Country",
				half: true,
				placeholder: "Type to search",
				options: [
					"Austria",
					"Belgium",
					"Brazil",
					"Canada",
					"Denmark",
					"Finland",
					"France",
					"Germany",
					"India",
					"Italy",
					"Japan",
					"Kenya",
					"Netherlands",
					"Norway",
					"Portugal",
					"Spain",
					"Sweden",
					"Switzerland",
					"United Kingdom",
					"United States",
				],
			},
			{
				kind: "url",
				name: "website",
				label: "Website",
				half: true,
				placeholder: "https://",
				autoComplete: "url",
			},
			{ kind: "color", name: "badge", label: "Badge colour", half: true },
		],
	},
	{
		title: "The position",
		text: "What you would like to do, and from when on.",
		fields: [
			{
				kind: "select",
				name: "role",
				label: "Role",
				half: true,
				options: [
					{
						label: "Engineering",
						options: ["Compiler engineer", "Reliability engineer", "Hardware engineer"],
					},
					{ label: "Research", options: ["Mathematician", "Research fellow"] },
					{ label: "People", options: ["Recruiter", "Office manager"] },
				],
			},
			{ kind: "month", name: "start", label: "Earliest start", required: true, half: true },
			{
				kind: "radio",
				name: "mode",
				label: "Where you work",
				options: ["On site", "Hybrid", "Remote"],
			},
			{
				kind: "number",
				name: "experience",
				label: "Years of experience",
				half: true,
				min: 0,
				max: 60,
			},
			{
				kind: "range",
				name: "hours",
				label: "Hours a week",
				half: true,
				min: 8,
				max: 40,
				step: 4,
				unit: "h",
			},
			{
				kind: "listbox",
				name: "skills",
				label: "Skills",
				options: [
					"Analytical engines",
					"Compilers",
					"Mathematics",
					"Navigation",
					"Radio",
					"Typography",
				],
				hint: "As many as you like",
			},
			{
				kind: "checkboxes",
				name: "days",
				label: "Days in the office",
				options: ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"],
			},
		],
	},
	{
		title: "The conversation",
		text: "When we may call, and what we should read before.",
		fields: [
			{ kind: "time", name: "call", label: "Best time to call", half: true },
			{ kind: "datetime-local", name: "visit", label: "Visit to the works", half: true },
			{
				kind: "textarea",
				name: "letter",
				label: "Motivation",
				maxLength: 600,
				placeholder: "A few sentences are plenty",
			},
			{
				kind: "file",
				name: "cv",
				label: "CV",
				accept: ".pdf,.txt,.md",
				hint: "Yours to choose: no agent may",
			},
			{
				kind: "password",
				name: "password",
				label: "Password for the portal",
				autoComplete: "new-password",
				hint: "It never leaves this page",
			},
			{ kind: "switch", name: "newsletter", label: "Send me the monthly letter" },
			{ kind: "checkbox", name: "contact", label: "You may contact my references" },
		],
	},
];
