import { Button, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { AutoRefresh } from '#kit/auto-refresh.tsx'
import { Copyable } from '#kit/copyable.tsx'
import { JsonView } from '#kit/json-view.tsx'
import { MaskedSecret } from '#kit/masked-secret.tsx'
import { ErrorState } from '#kit/states/error-state.tsx'
import { LoadMore } from '#kit/states/load-more.tsx'
import { PageSpinner } from '#kit/states/page-spinner.tsx'
import { StateBlock } from '#kit/states/state-block.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { StrengthMeter } from '#kit/strength-meter.tsx'
import { type KeyValue, TagInput } from '#kit/tag-input.tsx'
import { TimeText } from '#kit/time-text.tsx'
import { SampleError, states } from './sample-server.ts'

export function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="gallery-part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  )
}

const payload = {
  method: 'report',
  clientToken: '7f3a-0192',
  params: { pressure: 0.42, running: true, note: null, list: [1, 2, { deep: '值' }] },
}

function Refreshing() {
  const [reads, setReads] = useState(0)
  const [at, setAt] = useState(0)
  const read = async () => {
    setReads((count) => count + 1)
    setAt(Date.now())
  }
  return (
    <div className="gallery-row">
      <AutoRefresh onRefresh={read} updatedAt={at} />
      <output data-testid="reads">{reads}</output>
    </div>
  )
}

function Growing() {
  const [rows, setRows] = useState(20)
  return (
    <div data-testid="growing" style={{ height: 200, overflowY: 'auto' }}>
      {Array.from({ length: rows }, (_, at) => at + 1).map((row) => (
        <div key={row} style={{ height: 32 }}>
          第 {row} 行
        </div>
      ))}
      <LoadMore hasMore={rows < 80} loading={false} onMore={() => setRows(rows + 20)} endText="没有更多了" />
    </div>
  )
}

export function PartSamples() {
  const [tags, setTags] = useState<KeyValue[]>([{ key: '区域', value: '北' }])
  const [password, setPassword] = useState('')
  const now = Date.now()
  return (
    <>
      <Part title="状态标签">
        <div className="gallery-row">
          {[1, 2, 3, 9].map((value) => (
            <StatusTag key={value} looks={states} value={value} />
          ))}
          <StatusTag text="升级中" tone="processing" />
          <StatusTag text="200 成功" tone="success" filled />
          <StatusTag text="超时" tone="error" filled />
          <StatusTag text="等待" tone="warning" filled />
          <StatusTag text="已取消" tone="default" filled />
        </div>
      </Part>
      <Part title="编号、密钥、时间">
        <div className="gallery-row">
          <Copyable text="PS3kQ8ZpVn0" />
          <Copyable text="" />
          <MaskedSecret secret="s3cr3t-of-the-thing" />
          <TimeText value={now - 190_000} />
          <TimeText value={Math.floor(now / 1000) - 7200} />
          <TimeText value={now} mode="exact" />
          <TimeText value={now} mode="log" />
          <TimeText value="0" />
        </div>
      </Part>
      <Part title="自动刷新">
        <Refreshing />
      </Part>
      <Part title="JSON">
        <JsonView value={payload} fileName="sample.json" />
        <JsonView value="not json at all" />
      </Part>
      <Part title="标签">
        <TagInput value={tags} onChange={setTags} />
      </Part>
      <Part title="密码强度">
        <Input.Password aria-label="密码" value={password} onChange={(event) => setPassword(event.target.value)} />
        <StrengthMeter password={password} />
      </Part>
      <Part title="加载更多">
        <Growing />
      </Part>
      <Part title="页面状态">
        <div className="gallery-row">
          <StateBlock
            variant="empty"
            title="还没有条目"
            text="新增一个，或批量导入。"
            action={<Button type="primary">新增</Button>}
          />
          <StateBlock variant="no-match" title="没有符合条件的结果" action={<Button>清空筛选</Button>} />
          <ErrorState
            subject="条目"
            error={new SampleError('服务 30 秒内没有响应', 100016, 504)}
            onRetry={() => undefined}
          />
          <ErrorState subject="条目" error={new SampleError('权限不足', 100012, 403)} onRetry={() => undefined} />
          <ErrorState subject="条目" error={new SampleError('无法连接服务器', 0, 0)} onRetry={() => undefined} />
        </div>
      </Part>
      <Part title="加载中的页面">
        <PageSpinner />
      </Part>
    </>
  )
}
