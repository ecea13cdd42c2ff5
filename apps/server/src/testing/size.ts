/**
 * How much of something a test makes. `npm test` takes as much as shows the behaviour, `npm run soak` as much as an
 * installation has.
 */
export const size = (here: number, soak: number): number => (process.env.SOAK === 'on' ? soak : here)
