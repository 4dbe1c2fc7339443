import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { THEME_SCRIPT } from "../src/page/shell/theme";
import "../src/page/styles/tokens.css";
import "../src/page/styles/base.css";
import "../src/page/styles/shell.css";
import "../src/page/styles/conversation.css";
import "../src/page/styles/steps.css";
import "../src/page/styles/form.css";
import "../src/page/styles/console.css";
import "../src/page/styles/session-list.css";
import "../src/page/styles/session.css";
import "../src/page/styles/timeline.css";
import "../src/page/styles/inspector.css";

export const metadata: Metadata = {
	title: "Baton playground",
	description: "A conversation beside a form: the agent fills it in, and asks before it sends it.",
};

export const viewport: Viewport = {
	colorScheme: "light dark",
	themeColor: [
		{ media: "(prefers-color-scheme: light)", color: "#f6f4ef" },
		{ media: "(prefers-color-scheme: dark)", color: "#141517" },
	],
};

export default function Layout({ children }: { children: ReactNode }) {
	return (
		<html lang="en" suppressHydrationWarning>
			<head>
				{/* Before the first paint, so that nothing flashes. */}
				<script>{THEME_SCRIPT}</script>
			</head>
			<body>{children}</body>
		</html>
	);
}
