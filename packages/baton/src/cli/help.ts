export const HELP = `baton keeps agent conversations alive.

  baton start     serve every door: the page, the agent API, the gateway, A2A
  baton chat      talk to an agent in this terminal
  baton sessions  list, show, follow, export and delete conversations
  baton doctor    what is configured, reachable, missing
  baton bench     measure against the peers
  baton --version

Begin with baton start, and in another terminal baton chat; what you say there is in the page too,
and in baton sessions list. Beside a running server a command asks that server; it opens the data
folder itself only when none runs. --json is for scripts.

Exit codes: 0 done, 1 failed, 2 called or configured wrongly, 3 what was named is not there.

baton <command> --help says more. Settings: docs/configuration.md
`;

export const START_HELP = `baton start: serves every door until it is stopped, and says where each is.

  --port <number>      BATON_PORT       default 3000
  --host <address>     BATON_HOST       default 127.0.0.1
  --agent <name>       BATON_AGENT      demo, gemini, codex, claude-code, agentforce, provider/model
  --data-dir <folder>  BATON_DATA_DIR   default ~/.proj-jarvis
  --config <file>      BATON_CONFIG     default config.json in the data folder
  --dev                logs more

An option wins over its variable, and a variable over the file. Ctrl-C stops: running turns
get some seconds to end, and what is left goes on at the next start. A second one stops at once.
`;

export const DOCTOR_HELP = `baton doctor: says what is configured, reachable and missing. Shows no secret.

It looks at Node.js, the settings, every door (is its port free, who may come in, who answers
there), the data folder, Redis, the keys and the agents.

  --json               for programs
  --port, --host, --agent, --data-dir, --config   as for baton start

Exit code 1: something that is configured does not work.
`;

export const CHAT_HELP = `baton chat: a chat at this terminal, with a running gateway.

  --new                begin a new conversation; otherwise the latest one goes on
  --session <key>      go on with this one
  --url <address>      of a gateway elsewhere    default ws://127.0.0.1:18789
  --data-dir, --config as for baton start

The token is PROJ_JARVIS_TOKEN, or the one that this machine's Baton made. From a pipe, each line
is a message. Leaving stops nothing: what runs goes on.
`;

export const BENCH_HELP = `baton bench: measures Baton beside its peers, in the same run, and prints ratios with what to reach.

  baton bench                  everything; some minutes
  baton bench turn gateway     only benchmarks whose names have these words
  --quick                      fewer rounds: a look, no figure to keep
  --json                       for programs
  --strict                     a reach that is missed is an exit code of 1 too

It needs a clone of the repository. Run nothing else meanwhile: a busy machine measures itself.
Exit code 1: a benchmark failed.
`;
