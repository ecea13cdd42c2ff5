import { SendOutlined } from '@ant-design/icons'
import type { Channel } from '@ithings/contract/features/notify.ts'
import { Alert, Button, Modal, Spin } from 'antd'
import { useEffect, useRef } from 'react'
import { useTestChannel } from '#blocks/channel-form/channel-work.ts'
import { TestResult } from '#blocks/channel-form/test-result.tsx'
import { describeError } from '#kit/states/describe-error.ts'

/** Sends as soon as it opens: somebody clicked 测试 to see just that. */
export function TestDialog({ channel, open, onClose }: { channel: Channel; open: boolean; onClose: () => void }) {
  const { mutate, data, error, isPending } = useTestChannel()
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    mutate({ id: channel.id })
  }, [mutate, channel.id])
  return (
    <Modal
      title={`测试「${channel.name}」`}
      open={open}
      onCancel={onClose}
      footer={[
        <Button key="again" icon={<SendOutlined />} disabled={isPending} onClick={() => mutate({ id: channel.id })}>
          再发一次
        </Button>,
        <Button key="close" type="primary" onClick={onClose}>
          关闭
        </Button>,
      ]}
    >
      <div className="test-dialog">
        {isPending && (
          <span className="inline-row gap-8" role="status">
            <Spin size="small" /> 正在发送…
          </span>
        )}
        {!isPending && data && <TestResult result={data} />}
        {!isPending && error && <Alert type="error" showIcon title={describeError(error).reason} />}
      </div>
    </Modal>
  )
}
