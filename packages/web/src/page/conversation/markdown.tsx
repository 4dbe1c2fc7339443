import { memo } from "react";
import ReactMarkdown, { type Components } from "react-markdown";
import remarkGfm from "remark-gfm";
import remend from "remend";

const COMPONENTS: Components = {
	// An agent's link leads elsewhere: never with this page's window.
	a: ({ href, children }) => (
		<a href={href} target="_blank" rel="noopener noreferrer nofollow">
			{children}
		</a>
	),
	// A picture would tell its server that it was looked at.
	img: ({ alt }) => <span className="picture">{alt || "picture"}</span>,
	table: ({ children }) => (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard
		<section className="table-scroller" tabIndex={0} aria-label="Table">
			<table>{children}</table>
		</section>
	),
};
const PLUGINS = [remarkGfm];

/** Text of the agent. While it is being written, marks that are not closed yet count as closed. */
export const Markdown = memo(function Markdown({
	text,
	isOpen,
}: {
	text: string;
	isOpen: boolean;
}) {
	return (
		<div className="markdown">
			<ReactMarkdown components={COMPONENTS} remarkPlugins={PLUGINS} skipHtml>
				{isOpen ? remend(text) : text}
			</ReactMarkdown>
		</div>
	);
});
