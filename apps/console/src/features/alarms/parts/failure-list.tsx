import './alarms.css'

/** What could not be done, each with its reason. */
export const FailureList = ({ rows }: { rows: readonly { id: number; name: string; msg: string }[] }) => (
  <ul className="failure-list">
    {rows.map(({ id, name, msg }) => (
      <li key={id}>
        <b>{name}</b>
        <span>{msg}</span>
      </li>
    ))}
  </ul>
)
