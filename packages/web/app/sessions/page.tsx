import type { Metadata } from "next";
import { filterIn } from "../../src/page/console/list/filter-in";
import { SessionList } from "../../src/page/console/list/session-list";

export const metadata: Metadata = {
	title: "Sessions · Baton",
	description: "All conversations, whichever door they came through, as they happen.",
};

interface PageProps {
	searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The console: the sessions that the address asks for. */
export default async function Page({ searchParams }: PageProps) {
	return <SessionList initial={filterIn(await searchParams)} />;
}
