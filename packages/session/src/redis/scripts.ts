import append from "./scripts/append.lua";
import claimAlias from "./scripts/claim-alias.lua";
import create from "./scripts/create.lua";
import deleteSession from "./scripts/delete.lua";
import dueAlarms from "./scripts/due-alarms.lua";
import dueAt from "./scripts/due-at.lua";
import get from "./scripts/get.lua";
import increment from "./scripts/increment.lua";
import moveAlarm from "./scripts/move-alarm.lua";
import postponeAlarm from "./scripts/postpone-alarm.lua";
import prelude from "./scripts/prelude.lua";
import releaseAlias from "./scripts/release-alias.lua";
import releaseLease from "./scripts/release-lease.lua";
import renewAliasesUntil from "./scripts/renew-aliases-until.lua";
import renewLease from "./scripts/renew-lease.lua";
import setAlarm from "./scripts/set-alarm.lua";
import state from "./scripts/state.lua";
import step from "./scripts/step.lua";
import storeEvents from "./scripts/store-events.lua";
import takeLease from "./scripts/take-lease.lua";
import trim from "./scripts/trim.lua";
import update from "./scripts/update.lua";

interface Script {
	lua: string;
	keys: number;
}

const withPrelude = (lua: string, keys = 2): Script => ({ lua: `${prelude}\n${lua}`, keys });

const storing = (lua: string, keys: number): Script => withPrelude(`${storeEvents}\n${lua}`, keys);

/** Every script of the driver, with the number of its keys. The headers in the files say the rest. */
export const SCRIPTS = {
	append: storing(append, 4),
	step: storing(step, 5),
	create: withPrelude(create),
	update: withPrelude(update),
	increment: withPrelude(increment),
	takeLease: withPrelude(takeLease),
	renewLease: withPrelude(renewLease),
	trim: withPrelude(trim, 3),
	renewAliasesUntil: withPrelude(renewAliasesUntil),
	get: { lua: get, keys: 2 },
	delete: { lua: deleteSession, keys: 2 },
	releaseLease: { lua: releaseLease, keys: 2 },
	state: { lua: state, keys: 2 },
	claimAlias: { lua: claimAlias, keys: 1 },
	releaseAlias: { lua: releaseAlias, keys: 1 },
	setAlarm: { lua: setAlarm, keys: 1 },
	dueAlarms: { lua: dueAlarms, keys: 1 },
	dueAt: { lua: dueAt, keys: 1 },
	moveAlarm: { lua: moveAlarm, keys: 1 },
	postponeAlarm: { lua: postponeAlarm, keys: 3 },
} satisfies Record<string, Script>;

export type ScriptName = keyof typeof SCRIPTS;
