import { homeTopic, readFirstSteps } from '@ithings/contract/features/home.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { call } from '#api/call.ts'
import { useLive } from '#api/live.ts'
import { nextStep, type StepFacts, stepsOf } from './steps.ts'
import { isPutAway, noteDone, putStepsAway } from './steps-memory.ts'

/** The platform tells of devices; products and models are seen by asking, which costs next to nothing. */
const pace = 3000

const isDone = (facts: StepFacts) => nextStep(stepsOf(facts)) === undefined

const firstStepsQuery = queryOptions({
  queryKey: [readFirstSteps.path],
  queryFn: ({ signal }) => call(readFirstSteps, {}, { quiet: true, signal }),
  // Who may not ask is not asked again.
  refetchInterval: ({ state }) => (state.data && !isDone(state.data) ? pace : false),
  staleTime: pace,
})

/** What is done so far, as long as somebody needs it: not on a platform that is at work, nor once it was put away. */
export function useFirstSteps() {
  const [away, setAway] = useState(isPutAway)
  const begun = useRef(false)
  useLive(away ? undefined : homeTopic, { info: [firstStepsQuery.queryKey] })
  const { data } = useQuery({ ...firstStepsQuery, enabled: !away })
  if (data && !isDone(data)) begun.current = true
  useEffect(() => {
    if (data) noteDone(isDone(data))
  }, [data])
  return {
    facts: !away && begun.current ? data : undefined,
    putAway: () => {
      putStepsAway()
      setAway(true)
    },
  }
}
