export const HELP = `baton keeps agent conversations alive.

  baton start     serve the agent API
  baton chat      talk to an agent in this terminal
  baton sessions  export conversations to files
  baton doctor    what is configured, reachable, missing
  baton --version

baton <command> --help says more. Settings: docs/configuration.md
`;

export const START_HELP = `baton start: serves the agent API until it is stopped.

  --port <number>      BATON_PORT       default 3000
  --host <address>     BATON_HOST       default 127.0.0.1
  --agent <name>       BATON_AGENT      demo, gemini, codex, claude-code, provider/model
  --data-dir <folder>  BATON_DATA_DIR   default ~/.proj-jarvis
  --config <file>      BATON_CONFIG     default config.json in the data folder
  --dev                logs more

An option wins over its variable, and a variable over the file. Ctrl-C stops: running turns
get some seconds to end, and what is left goes on at the next start. A second one stops at once.
`;

export const DOCTOR_HELP = `baton doctor: says what is configured, reachable and missing. Shows no secret.

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

export const SESSIONS_HELP = `baton sessions export: writes conversations as files, <key>.meta.json and <key>.jsonl.

  baton sessions export --out <folder> [<key> …]

  --out <folder>       where to; made when missing
  --owner <name>       whose conversations; default: of every owner that is configured
  --data-dir, --config as for baton start

It is for Redis. Where sessions are kept in files, they are these files already, in sessions/ of
the data folder.
`;
