import type { SessionState } from "@baton/protocol";
import { Icon } from "../../shell/icons";
import { STATES } from "../state-badge";
import type { SessionFilter } from "./session-filter";

interface FilterBarProps {
	filter: SessionFilter;
	/** What there is to choose from, as far as it is known. */
	doors: readonly string[];
	agents: readonly string[];
	onChange(filter: SessionFilter): void;
}

/** What the person looks for. */
export function FilterBar({ filter, doors, agents, onChange }: FilterBarProps) {
	return (
		<search className="filters">
			<label className="search-field">
				<Icon name="search" />
				<span className="visually-hidden">Search sessions</span>
				<input
					type="search"
					id="search"
					placeholder="Search names and messages"
					maxLength={200}
					value={filter.q}
					onChange={(event) => onChange({ ...filter, q: event.target.value })}
				/>
				<span className="key" aria-hidden="true">
					/
				</span>
			</label>
			<Choice
				label="State"
				value={filter.state}
				options={STATES.map(({ state, words }) => [state, words])}
				onChoose={(state) => onChange({ ...filter, state: state as SessionState | "" })}
			/>
			<Choice
				label="Door"
				value={filter.door}
				options={doors.map((door) => [door, door])}
				onChoose={(door) => onChange({ ...filter, door })}
			/>
			<Choice
				label="Agent"
				value={filter.agent}
				options={agents.map((agent) => [agent, agent])}
				onChoose={(agent) => onChange({ ...filter, agent })}
			/>
		</search>
	);
}

interface ChoiceProps {
	label: string;
	value: string;
	options: readonly (readonly [value: string, words: string])[];
	onChoose(value: string): void;
}

function Choice({ label, value, options, onChoose }: ChoiceProps) {
	return (
		<label className="filter" data-chosen={value !== "" || undefined}>
			<span className="visually-hidden">{label}</span>
			<select value={value} onChange={(event) => onChoose(event.target.value)}>
				<option value="">{`Any ${label.toLowerCase()}`}</option>
				{options.map(([option, words]) => (
					<option key={option} value={option}>
						{words}
					</option>
				))}
			</select>
		</label>
	);
}
