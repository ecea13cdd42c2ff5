import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { preview } from './preview.ts'
import { sessionQuery } from './session-query.ts'
import { homePath } from './sign-in-path.ts'

/** Begins and ends the look through the eyes of a role. */
export function usePreview() {
  const client = useQueryClient()
  const navigate = useNavigate()
  return {
    start: async (roleID: number) => {
      preview.start(roleID)
      // What the administrator has read may be more than the role can.
      client.removeQueries({ type: 'inactive' })
      await client.invalidateQueries({ queryKey: sessionQuery.queryKey })
      await navigate(homePath)
    },
    end: async (then: string) => {
      preview.end()
      await client.invalidateQueries()
      await navigate(then)
    },
  }
}
