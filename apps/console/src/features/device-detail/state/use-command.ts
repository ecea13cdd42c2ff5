/** Sends what was written in the panel and follows it until it is answered. */

import type { ShadowControl } from '@ithings/contract/features/commands.ts'
import type { Device } from '@ithings/contract/features/devices/info.ts'
import { parseRecord } from '@ithings/contract/is-record.ts'
import type { Param } from '@ithings/contract/thing-model/define.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type Outcome,
  outcomeOfError,
  outcomeOfReply,
  outcomeOfRow,
  waitingOutcome,
} from '#blocks/command-history/command-words.ts'
import { keyOf } from '#blocks/device/queries.ts'
import { commandsQuery, useSendAction, useSendProperty } from '../live-queries.ts'

export interface CommandInput {
  /** In words, for the result. */
  title: string
  data: string
  isAsync: boolean
  /** Absent: a property command. */
  action?: { identifier: string; output: readonly Param[] }
  shadowControl: ShadowControl
}

export interface CommandResult {
  title: string
  outcome: Outcome
  /** Milliseconds; undefined while it waits or when nobody waited. */
  took?: number | undefined
  clientToken?: string
  output?: { params: readonly Param[]; values: Record<string, unknown> }
}

/** An answer that nobody waited for is read from the history. */
function useLateReply(device: Device, token: string | undefined) {
  return useQuery({
    ...commandsQuery({ ...keyOf(device), clientToken: token, page: { page: 1, size: 1 } }),
    enabled: token !== undefined,
  }).data?.list[0]
}

export function useCommand(device: Device) {
  const [result, setResult] = useState<CommandResult>()
  const [late, setLate] = useState<string>()
  const { mutateAsync: sendProperty } = useSendProperty(device)
  const { mutateAsync: sendAction } = useSendAction(device)
  const row = useLateReply(device, late)

  async function ask({ title, data, isAsync, action, shadowControl }: CommandInput): Promise<CommandResult> {
    const { reply, took } = action
      ? await sendAction({ actionID: action.identifier, inputParams: data, isAsync })
      : await sendProperty({ data, isAsync, shadowControl })
    const viaShadow = 'viaShadow' in reply && reply.viaShadow
    const { clientToken } = reply
    if (isAsync && !viaShadow) {
      setLate(clientToken)
      return { title, outcome: waitingOutcome, clientToken }
    }
    return {
      title,
      clientToken,
      outcome: outcomeOfReply(reply),
      ...(!viaShadow && { took }),
      ...(action &&
        'outputParams' in reply && {
          output: { params: action.output, values: parseRecord(String(reply.outputParams)) ?? {} },
        }),
    }
  }

  return {
    /** The late answer replaces what was known when the command left. */
    result: result && row ? { ...result, outcome: outcomeOfRow(row), took: row.latency || undefined } : result,
    clear: () => setResult(undefined),
    run: async (input: CommandInput) => {
      setLate(undefined)
      setResult({ title: input.title, outcome: waitingOutcome })
      const failed = (error: unknown): CommandResult => ({ title: input.title, outcome: outcomeOfError(error) })
      const came = await ask(input).catch(failed)
      setResult(came)
      return came.outcome
    },
  }
}
