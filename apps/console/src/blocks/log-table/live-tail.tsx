import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { AutoRefresh } from '#kit/auto-refresh.tsx'
import type { LogScope } from './log-query.ts'

interface LiveTailProps {
  /** Of the endpoint whose lists are read again. */
  path: string
  scope: LogScope
}

/** New lines come by themselves while it is on. */
export function LiveTail({ path }: LiveTailProps) {
  const client = useQueryClient()
  const fetching = useIsFetching({ queryKey: [path] }) > 0
  return (
    <AutoRefresh
      hideButton
      updatedAt={0}
      refreshing={fetching}
      onRefresh={() => client.refetchQueries({ queryKey: [path], type: 'active' }, { throwOnError: true })}
    />
  )
}
