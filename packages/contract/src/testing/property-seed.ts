/**
 * The same examples for every property in each run of `npm test`, so that nobody's change is red for a fault it did not
 * bring; new ones in `npm run soak`, which is there to find those.
 */
import fc from 'fast-check'

if (process.env.SOAK !== 'on') fc.configureGlobal({ seed: 20_261_116 })
