const IDEAS = [
	"I am Ada Lovelace, ada@example.org, start in March",
	"My name is Grace Hopper, I work remote, skills: Compilers",
	"What can you do?",
];

/** The first thing a person sees. */
export function Greeting({ onPick }: { onPick(text: string): void }) {
	return (
		<div className="greeting">
			<h2>Tell me about yourself.</h2>
			<p>
				I fill in the form beside us while you watch, and ask before anything is sent. Reload the
				page in the middle, or stop the server: I go on where I was.
			</p>
			<ul>
				{IDEAS.map((idea) => (
					<li key={idea}>
						<button type="button" className="idea" onClick={() => onPick(idea)}>
							{idea}
						</button>
					</li>
				))}
			</ul>
		</div>
	);
}
