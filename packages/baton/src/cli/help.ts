export const HELP = `baton keeps agent conversations alive.

  baton start     serve the agent API
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
