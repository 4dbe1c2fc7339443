import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { isSessionId } from "../../../src/console/session-params";
import { SessionView } from "../../../src/page/console/one/session-view";

export const metadata: Metadata = {
	title: "Session · Baton",
	description: "Every event of one conversation, as it happens, and any earlier moment.",
};

/** The console: one session. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
	const { id } = await params;
	if (!isSessionId(id)) notFound();
	return <SessionView key={id} sessionId={id} />;
}
