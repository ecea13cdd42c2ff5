/** The searched part of a text stands out, so that a match between its ancestors is found at a glance. */
export function Highlight({ text, part }: { text: string; part: string | undefined }) {
  const wanted = part?.trim().toLowerCase() ?? ''
  const at = wanted === '' ? -1 : text.toLowerCase().indexOf(wanted)
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark className="menu-match">{text.slice(at, at + wanted.length)}</mark>
      {text.slice(at + wanted.length)}
    </>
  )
}
