/** A fault of a model: where it is and what is wrong, in words for the person who edits it. */
export interface ModelIssue {
  /** Like `properties.temp.define.max`; empty for the document itself. */
  path: string
  text: string
}

export type Report = (issue: ModelIssue) => void

export const at = (path: string, part: string): string => (path === '' ? part : `${path}.${part}`)
