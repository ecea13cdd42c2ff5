import { numberText } from '#kit/number-text.ts'

// look.md "Chips": under 500 ms fine, to 3 s amber, longer red.
const slow = 500
const verySlow = 3000

const tone = (ms: number) => (ms > verySlow ? 'error-text' : ms >= slow ? 'warning-text' : undefined)

export const Duration = ({ ms }: { ms: number }) => <span className={tone(ms)}>{numberText(ms)} ms</span>
