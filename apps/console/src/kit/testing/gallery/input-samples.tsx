import { Button } from 'antd'
import { useState } from 'react'
import { Chart } from '#kit/chart.tsx'
import { CodeEditor } from '#kit/code-editor.tsx'
import { CronInput } from '#kit/cron-input.tsx'
import { formatJson } from '#kit/json-input.ts'
import { type PickerSource, RemotePicker } from '#kit/remote-picker.tsx'
import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { Part } from './part-samples.tsx'
import { listSamples, makeSamples } from './sample-server.ts'

const all = makeSamples(137)
const asOption = (row: (typeof all)[number]) => ({ value: row.id, label: row.name, hint: row.code })

const source: PickerSource = {
  key: ['gallery-picker'],
  search: async ({ text, page, size }) => {
    const { list, total } = listSamples(all, { name: text }, { page, size })
    return { list: list.map(asOption), total }
  },
  resolve: async (values) => all.filter((row) => values.includes(row.id)).map(asOption),
}

const hours = Array.from({ length: 24 }, (_, at) => `${at}:00`)
const line = {
  grid: { left: 40, right: 16, top: 32, bottom: 28 },
  tooltip: { trigger: 'axis' },
  xAxis: { type: 'category', data: hours },
  yAxis: { type: 'value' },
  series: [1, 2, 3].map((n) => ({
    type: 'line',
    name: `序列 ${n}`,
    data: hours.map((_, at) => (n === 2 && at > 8 && at < 12 ? null : Math.round(10 * n + 5 * Math.sin(at / n)))),
  })),
}

function Editor() {
  const [text, setText] = useState('{"a": 1}')
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <CodeEditor
        language="json"
        height={160}
        value={text}
        onChange={setText}
        onValidity={setProblem}
        aria-label="配置"
      />
      <div className="gallery-row">
        <Button onClick={() => setText(formatJson(text))}>格式化</Button>
        <output data-testid="json-problem">{problem ?? '有效'}</output>
      </div>
      <CodeEditor
        language="javascript"
        height={140}
        readOnly
        value={'// 解析脚本\nfunction decode(topic, payload) {\n  return { method: "report", params: { a: 1 } }\n}'}
        aria-label="脚本"
      />
    </>
  )
}

export function InputSamples() {
  const [cron, setCron] = useState('0 30 8 * * 1,3')
  const [one, setOne] = useState<string | undefined>('42')
  const [many, setMany] = useState<string[]>(['3'])
  const [time, setTime] = useState<TimeChoice | undefined>({ preset: 1 })
  const [empty, setEmpty] = useState(false)
  return (
    <>
      <Part title="Cron">
        <CronInput value={cron} onChange={setCron} />
        <output data-testid="cron">{cron}</output>
      </Part>
      <Part title="时间筛选">
        <TimeFilter value={time} onChange={setTime} />
        <output data-testid="time">{time ? JSON.stringify(resolveTime(time)) : ''}</output>
      </Part>
      <Part title="远程选择">
        <div style={{ maxWidth: 360 }}>
          <RemotePicker source={source} value={one} onChange={setOne} aria-label="单选" />
          <RemotePicker multiple source={source} value={many} onChange={setMany} aria-label="多选" />
        </div>
        <output data-testid="picked">{JSON.stringify({ one, many })}</output>
      </Part>
      <Part title="图表">
        <Button onClick={() => setEmpty(!empty)}>切换数据</Button>
        <Chart height={240} label="三条序列的日变化" option={line} empty={empty} />
      </Part>
      <Part title="编辑器">
        <Editor />
      </Part>
    </>
  )
}
