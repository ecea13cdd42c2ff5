/** The words inside a line of our guides: code, bold, links. Pure; gives a tree, never HTML. */
export type Inline =
  | { kind: 'text'; text: string }
  | { kind: 'code'; text: string }
  | { kind: 'strong'; parts: Inline[] }
  | { kind: 'link'; to: string; parts: Inline[] }

// Whichever begins first wins: code keeps its signs, a link may hold code, bold may hold both.
const marks =
  /(?<ticks>`+)(?<code>.+?)\k<ticks>(?!`)|\*\*(?<strong>.+?)\*\*|\[(?<label>(?:`[^`]*`|[^[\]])+)\]\((?<to>[^)\s]+)\)/

const plainText = (text: string): Inline[] =>
  text === '' ? [] : [{ kind: 'text', text: text.replace(/\\([\\`*_{}[\]()#+.!|<>-])/g, '$1') }]

function marked({ code, strong, label, to }: Record<string, string | undefined>): Inline {
  if (code !== undefined) return { kind: 'code', text: code.trim() || code }
  if (strong !== undefined) return { kind: 'strong', parts: parseInline(strong) }
  return { kind: 'link', to: to ?? '', parts: parseInline(label ?? '') }
}

export function parseInline(line: string): Inline[] {
  const found = marks.exec(line)
  if (!found?.groups) return plainText(line)
  return [
    ...plainText(line.slice(0, found.index)),
    marked(found.groups),
    ...parseInline(line.slice(found.index + found[0].length)),
  ]
}

export const textOf = (parts: readonly Inline[]): string =>
  parts.map((part) => ('parts' in part ? textOf(part.parts) : part.text)).join('')
