/** A platform full of life at once, for those who want to look around first (issue 7 part 2). */
import { loadDemo, readDemo } from '@ithings/contract/features/demo.ts'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { call } from '#api/call.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { JobModal } from '../job-modal.tsx'

const demoQuery = queryOptions({
  queryKey: [readDemo.path],
  queryFn: ({ signal }) => call(readDemo, {}, { quiet: true, signal }),
  retry: false,
})

/** Nothing for those who may not load it, and nothing on a platform that has products of its own. */
export function DemoOffer() {
  const client = useQueryClient()
  const confirm = useConfirm()
  const { data } = useQuery(demoQuery)
  const [followed, setFollowed] = useState('')
  const load = useMutation({ mutationFn: () => call(loadDemo, {}, { quiet: true }) })
  const running = data?.state === 'loading' ? data.jobID : ''
  const ask = () =>
    confirm({
      title: '加载演示数据？',
      content: '平台会新增四个产品、约 200 台虚拟设备、场景、告警和七天的历史数据，可以随时整体移除。',
      okText: '加载',
      onOk: async () => setFollowed((await load.mutateAsync()).jobID),
    })
  const offered = data?.state === 'none' && data.empty
  return (
    <>
      {offered && <Button onClick={ask}>加载演示数据</Button>}
      {running !== '' && <Button onClick={() => setFollowed(running)}>查看演示数据的加载进度</Button>}
      {followed !== '' && (
        <JobModal
          title="加载演示数据"
          jobID={followed}
          open
          onClose={() => setFollowed('')}
          // Nothing of what the screens know is true any more.
          onEnd={() => void client.invalidateQueries()}
        />
      )}
    </>
  )
}
