import type { AppError } from '@ithings/contract/errors.ts'

/**
 * Two people taking one name at the same moment: the database decides who was first, and its constraint tells which
 * sentence the other one hears. What no sentence is given for stays as it is.
 */
export async function inWords<T>(work: Promise<T>, refusals: Record<string, (cause: unknown) => AppError>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    const refusal = refusals[(cause as { constraint?: string }).constraint ?? '']
    throw refusal ? refusal(cause) : cause
  }
}
