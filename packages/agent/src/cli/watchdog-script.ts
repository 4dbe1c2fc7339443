/**
 * The watchdog: a POSIX shell that starts the command-line agent and leads its process group.
 *
 * - File descriptor 3 is a socket to the runner. When the runner is gone, however it died, the
 *   socket closes and the watchdog ends the group: SIGTERM, half a second, SIGKILL.
 * - It outlives the agent: it reports the exit code on descriptor 3 and waits to be killed with the
 *   group. So the group's id belongs to us for as long as anyone may signal it, and a wrong group
 *   can never be hit.
 * - Tools of an agent start sessions of their own and leave the group. They carry the mark in their
 *   environment and are found by it, where there is a /proc.
 *
 * Nothing is put into this text: the mark is $1, the command and its arguments are the rest.
 */
export const WATCHDOG_SCRIPT = `
mark=$1
shift
trap : TERM INT HUP
exec 4<&0 </dev/null
(
	trap '' TERM INT HUP
	while read -r line <&3; do :; done
	kill -TERM 0
	sleep 0.5
	for found in $(grep -lasF "BATON_CLI_RUN=$mark" /proc/[0-9]*/environ | tr -cd '0-9\\n'); do
		kill -KILL "$found"
	done
	kill -KILL 0
) 4<&- >/dev/null 2>&1 &
BATON_CLI_RUN=$mark "$@" <&4 3<&- 4<&- &
cli=$!
exec 4<&-
while :; do
	wait "$cli"
	code=$?
	kill -0 "$cli" 2>/dev/null || break
done
echo "$code" >&3
while :; do wait; sleep 60; done
`;

/** The variable that marks every process of one run, set by the script. */
export const MARK_VARIABLE = "BATON_CLI_RUN";
