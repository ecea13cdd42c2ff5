/** What the thing model says about a field of an item; `refused`: the platform does not save it like that. */
export interface Finding {
  field: string
  text: string
  refused: boolean
}

export const refuse = (field: string, text: string): Finding => ({ field, text, refused: true })
export const warn = (field: string, text: string): Finding => ({ field, text, refused: false })
