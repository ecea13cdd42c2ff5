/** Options of a constant, for controls that draw labels as they are; the filters of a list translate them themselves. */
import { t } from '@ithings/contract/text.ts'

export const translated = <O extends { label: string }>(options: readonly O[]): O[] =>
  options.map((option) => ({ ...option, label: t(option.label) }))
