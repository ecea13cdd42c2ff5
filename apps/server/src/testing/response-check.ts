/** Holds every answer of the room tests against the OpenAPI document of the contract. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { failureEnvelope } from '@ithings/contract/envelope.ts'
import { promFailure } from '@ithings/contract/features/prom.ts'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { successSchema } from '#http/openapi.ts'

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
const endpoints = new Map(allEndpoints.map((endpoint) => [endpoint.path, endpoint]))
const successValidators = new Map<string, ValidateFunction>()

function successValidator(path: string): ValidateFunction | undefined {
  const endpoint = endpoints.get(path)
  if (!endpoint) return undefined
  const known = successValidators.get(path) ?? ajv.compile(successSchema(endpoint))
  successValidators.set(path, known)
  return known
}

export function checkResponse(path: string, status: number, body: unknown): void {
  if (status !== 200) {
    const refusal = endpoints.get(path)?.asPrometheus ? promFailure : failureEnvelope
    refusal.strict().parse(body)
    return
  }
  const validate = successValidator(path)
  if (!validate) throw new Error(`${path} is not in the OpenAPI document`)
  if (!validate(body)) {
    throw new Error(
      `${path} answers outside of its contract: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body)}`,
    )
  }
}
