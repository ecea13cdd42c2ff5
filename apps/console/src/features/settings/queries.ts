import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readConfig, readSettings, updateSettings } from '@ithings/contract/features/settings.ts'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useReadAgain } from '#api/use-change.ts'

export const settingsQuery = endpointQuery(readSettings, {})

/** Title and logo of the header, the window and the login page come from common/config: they follow at once. */
export const useSettingsChanged = () => useReadAgain([readSettings, readConfig])

// The form shows the refusal beside the field.
export const putSettings = (body: BodyInput<typeof updateSettings>) => call(updateSettings, body, { quiet: true })
