/** A platform full of life at once, for those who want to look around first. */

import { loadDemo } from '@ithings/contract/features/demo.ts'
import { t } from '@ithings/contract/text.ts'
import { useMutation } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '#api/call.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { useDemo } from '../demo/demo-query.ts'

/**
 * Nothing for those who may not load it, and nothing on a platform that has products of its own.
 * The loading outlives this button: whoever shows it follows the job.
 */
export function DemoOffer({ onLoading }: { onLoading?: (jobID: string) => void }) {
  const confirm = useConfirm()
  const { data, refetch } = useDemo()
  const load = useMutation({ mutationFn: () => call(loadDemo, {}, { quiet: true }) })
  if (data?.state !== 'none' || !data.empty) return null
  const ask = () =>
    confirm({
      title: t('加载演示数据？'),
      content: t('平台会新增五个产品、200 台虚拟设备、场景、告警和七天的历史数据，可以随时整体移除。'),
      okText: t('加载'),
      onOk: async () => {
        const { jobID } = await load.mutateAsync()
        onLoading?.(jobID)
        await refetch()
      },
    })
  return <Button onClick={ask}>{t('加载演示数据')}</Button>
}
