import './alarms.css'

/** What could not be done, each with its reason. */
export const FailureList = ({ rows }: { rows: readonly { id: number; name: string; msg: string }[] }) => (
  <ul className="failure-list above-8 scroll bare-list">
    {rows.map(({ id, name, msg }) => (
      <li key={id} className="column">
        <b>{name}</b>
        <span className="meta tone-error">{msg}</span>
      </li>
    ))}
  </ul>
)
