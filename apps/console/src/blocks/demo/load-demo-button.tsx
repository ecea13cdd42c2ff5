import { ExperimentOutlined } from '@ant-design/icons'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { App, Button, type ButtonProps } from 'antd'
import { useState } from 'react'
import { JobModal } from '../job-modal.tsx'
import { useDemo, useDemoWork } from './demo-query.ts'

interface LoadDemoButtonProps {
  type?: ButtonProps['type']
  size?: ButtonProps['size']
}

/** For administrators on an empty platform; nothing for everybody else. Follows the loading until it is over. */
export function LoadDemoButton({ type = 'default', size }: LoadDemoButtonProps) {
  const { data: demo } = useDemo()
  const { load, changed } = useDemoWork()
  const { message } = App.useApp()
  const [following, setFollowing] = useState(false)
  const [ended, setEnded] = useState(false)
  const jobID = load.data?.jobID ?? (demo?.state === 'loading' ? demo.jobID : '')
  if (!demo || !(demo.empty || jobID !== '')) return null
  return (
    <>
      <Button
        type={type}
        {...(size && { size })}
        icon={<ExperimentOutlined />}
        loading={load.isPending}
        onClick={() => {
          setFollowing(true)
          setEnded(false)
          if (jobID === '') load.mutate()
        }}
      >
        {jobID === '' ? '加载演示数据' : '查看加载进度'}
      </Button>
      {jobID !== '' && (
        <JobModal
          key={jobID}
          title="加载演示数据"
          jobID={jobID}
          open={following}
          onClose={() => {
            setFollowing(false)
            if (ended) load.reset()
          }}
          onEnd={(job) => {
            setEnded(true)
            if (job.status === JobStatus.done) void message.success('演示数据已加载')
            void changed()
          }}
        />
      )}
    </>
  )
}
