/** What one call of a product script may use (architecture.md "Walk 6: a product script"). */
export const cpuMilliseconds = 50
export const heapBytes = 16 * 1024 * 1024
export const stackBytes = 512 * 1024
export const maxLogLines = 100
export const maxLogLength = 500
/** Characters of JSON, both ways. */
export const maxJson = 1024 * 1024
/**
 * No answer for this long: the thread is ended and replaced. A machine that does much else needs a second for what
 * takes it 50 ms otherwise; a message that is not stored within five is lost for its device.
 */
export const wallMilliseconds = 4_000
