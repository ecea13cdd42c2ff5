import { homeTopic, readFirstSteps } from '@ithings/contract/features/home.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useLive } from '#api/live.ts'
import { useMay } from '#kit/rights.tsx'
import { nextStep, type StepFacts, stepsOf } from './steps.ts'
import { isPutAway, mayNeedSteps, noteNeeded, putStepsAway } from './steps-memory.ts'

/** The platform tells of devices; products and models are seen by asking, which costs next to nothing. */
const pace = 3000

const isDone = (facts: StepFacts) => nextStep(stepsOf(facts)) === undefined
/** Whoever looks around in the demo fleet is not led through its products; once it is removed, the steps are back. */
const isWanted = (facts: StepFacts) => !facts.demo && !isDone(facts)

const firstStepsQuery = queryOptions({
  ...endpointQuery(readFirstSteps, {}, { quiet: true }),
  refetchInterval: ({ state }) => (state.data && isWanted(state.data) ? pace : false),
  staleTime: pace,
})

/**
 * Whether the steps are still needed; undefined: the platform has not answered yet. The frame waits for the answer:
 * nothing that a person may click moves because the steps come above it.
 */
export function useStepsAhead(): boolean | undefined {
  const may = useMay()
  const [possible] = useState(mayNeedSteps)
  // Whoever may not take the first step is not led.
  const asked = possible && may(createProduct) && may(readFirstSteps)
  const { data, isPending } = useQuery({ ...firstStepsQuery, enabled: asked, refetchInterval: false })
  useEffect(() => {
    if (data) noteNeeded(data.demo ? undefined : isWanted(data))
  }, [data])
  if (asked && isPending) return undefined
  return asked && data !== undefined && isWanted(data)
}

/**
 * Whether the frame has found them needed at any time since the caller was opened: nobody else loads the card, and the
 * line that says "done" stays where it is.
 */
export function useStepsBegun(): boolean {
  const { data } = useQuery({ ...firstStepsQuery, enabled: false })
  const wanted = data !== undefined && isWanted(data) && !isPutAway()
  const [begun, setBegun] = useState(wanted)
  if (wanted && !begun) setBegun(true)
  return begun
}

/** What is done so far, as long as somebody needs it: not on a platform that is at work, nor once it was put away. */
export function useFirstSteps() {
  const may = useMay()
  const [putAway, setAway] = useState(isPutAway)
  const away = putAway || !may(createProduct) || !may(readFirstSteps)
  const begun = useRef(false)
  useLive(away ? undefined : homeTopic, { info: [firstStepsQuery.queryKey] })
  const { data } = useQuery({ ...firstStepsQuery, enabled: !away })
  if (data && isWanted(data)) begun.current = true
  return {
    facts: !away && begun.current && !data?.demo ? data : undefined,
    putAway: () => {
      putStepsAway()
      setAway(true)
    },
  }
}
