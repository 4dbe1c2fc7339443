import { type ChangeEvent, useState } from "react";
import { createRoot } from "react-dom/client";

/* A form whose every field is held by React's state: what React did not see is undone at once. */
const START = {
	name: "",
	email: "",
	about: "",
	guests: "1",
	date: "",
	country: "",
	topics: [] as string[],
	terms: false,
	size: "",
	volume: "10",
	news: false,
	phone: "",
	fixed: "always",
};

type State = typeof START;

function Form() {
	const [state, setState] = useState(START);
	const [touched, setTouched] = useState(false);
	const set = (change: Partial<State>) => setState((before) => ({ ...before, ...change }));
	const text = (name: keyof State) => ({
		name,
		value: state[name] as string,
		onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
			set({ [name]: event.target.value }),
	});
	const wrong = touched && !state.email.includes("@");
	return (
		<form>
			<label>
				Name <input {...text("name")} />
			</label>
			<label>
				Email{" "}
				<input
					{...text("email")}
					onBlur={() => setTouched(true)}
					aria-invalid={wrong}
					aria-errormessage="wrong"
				/>
			</label>
			<p id="wrong">{wrong && "That is no address."}</p>
			<label>
				About <textarea {...text("about")} />
			</label>
			<label>
				Guests <input type="number" {...text("guests")} />
			</label>
			<label>
				Date <input type="date" {...text("date")} />
			</label>
			<label>
				Country{" "}
				<select {...text("country")}>
					<option value="">Choose</option>
					<option value="no">Norway</option>
					<option value="jp">Japan</option>
				</select>
			</label>
			<label>
				Topics{" "}
				<select
					multiple
					value={state.topics}
					onChange={(event) =>
						set({ topics: Array.from(event.target.selectedOptions, ({ value }) => value) })
					}
				>
					<option value="a">Art</option>
					<option value="b">Books</option>
					<option value="c">Chess</option>
				</select>
			</label>
			<label>
				<input
					type="checkbox"
					checked={state.terms}
					onChange={(event) => set({ terms: event.target.checked })}
				/>{" "}
				Terms
			</label>
			<fieldset>
				<legend>Size</legend>
				{["S", "M", "L"].map((size) => (
					<label key={size}>
						<input
							type="radio"
							name="size"
							checked={state.size === size}
							onChange={() => set({ size })}
						/>{" "}
						{size}
					</label>
				))}
			</fieldset>
			<label>
				Volume <input type="range" {...text("volume")} />
			</label>
			<button
				type="button"
				role="switch"
				aria-checked={state.news}
				onClick={() => set({ news: !state.news })}
			>
				News
			</button>
			<label>
				Phone{" "}
				<input
					value={state.phone}
					onChange={({ target }) =>
						set({ phone: target.value.replace(/\D/g, "").replace(/(\d{3})(?=\d)/g, "$1 ") })
					}
				/>
			</label>
			<label>
				Fixed <input value={state.fixed} onChange={() => {}} />
			</label>
			<output id="state">{JSON.stringify(state)}</output>
		</form>
	);
}

createRoot(document.querySelector("#app")!).render(<Form />);
