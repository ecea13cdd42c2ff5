import { ScriptDirection, type ScriptResult, type TestCase } from '@ithings/contract/features/scripts.ts'
import { useState } from 'react'
import { describeError } from '#kit/states/describe-error.ts'
import { inputProblem, wireInput } from './bench-input.ts'
import { handlerName, keepHandler } from './handlers.ts'
import { tryScript } from './queries.ts'

export interface BenchForm {
  direction: ScriptDirection
  /** Function without its direction. */
  base: string
  /** One text for each direction: switching loses nothing. */
  inputs: Record<ScriptDirection, string>
}

/** A case has passed when the function answered and the thing model takes its answer. */
export const hasPassed = (result: ScriptResult): boolean => result.ok && result.modelIssues.length === 0

export type Outcome = { result: ScriptResult } | { failure: string }

const start: BenchForm = { direction: ScriptDirection.up, base: 'thingProperty', inputs: { up: '', down: '' } }

export function useTestBench(productID: string) {
  const [form, setForm] = useState(start)
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const [verdicts, setVerdicts] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const input = form.inputs[form.direction]

  const attempt = async (
    script: string,
    { direction, handler, input: given }: Omit<TestCase, 'name'>,
  ): Promise<Outcome> => {
    try {
      const body = { productID, script, direction, handler, input: wireInput(direction, given) }
      return { result: await tryScript(body) }
    } catch (error) {
      return { failure: describeError(error).reason }
    }
  }

  return {
    form,
    input,
    problem: inputProblem(form.direction, input),
    busy,
    outcome,
    verdicts,
    change: (patch: Partial<Omit<BenchForm, 'inputs'>> & { input?: string }) =>
      setForm((before) => {
        const { input: typed, ...rest } = patch
        const next = { ...before, ...rest }
        if (typed !== undefined) next.inputs = { ...next.inputs, [next.direction]: typed }
        return { ...next, base: keepHandler(next.base, next.direction) }
      }),
    /** What is in the form, as a case. */
    asCase: (name: string): TestCase => ({
      name,
      direction: form.direction,
      handler: handlerName(form.base, form.direction),
      input,
    }),
    run: async (script: string) => {
      setBusy(true)
      const handler = handlerName(form.base, form.direction)
      const found = await attempt(script, { direction: form.direction, handler, input })
      setOutcome(found)
      setBusy(false)
      return found
    },
    /** One after the other: each has its own time limit on the platform. */
    runCases: async (script: string, cases: readonly TestCase[]) => {
      setBusy(true)
      for (const one of cases) {
        const found = await attempt(script, one)
        setVerdicts((before) => new Map(before).set(one.name, found))
      }
      setBusy(false)
    },
  }
}

export type TestBench = ReturnType<typeof useTestBench>
