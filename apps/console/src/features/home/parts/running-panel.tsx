import type { HomePart, HomeRun, HomeSummary } from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { Link } from 'react-router'
import { type ProgressPart, StackedProgress } from '#blocks/stacked-progress.tsx'
import { numberText } from '#kit/number-text.ts'
import { percent, runLeft, shortFigure } from '../figures.ts'
import { runPath, runsPath } from '../paths.ts'
import { Dotted, Nothing, Panel, Refused } from './panel.tsx'
import { WholeRows } from './whole-rows.tsx'

const kindWords: Record<HomeRun['kind'], string> = { ota: '固件升级', task: '设备任务', config: '配置下发' }
const kinds = ['ota', 'task', 'config'] as const

const partsOf = ({ success, failed, sent }: HomeRun): ProgressPart[] => [
  { label: t('成功'), value: success, tone: 'success' },
  { label: t('失败'), value: failed, tone: 'error' },
  { label: t('进行中'), value: sent, tone: 'processing' },
]

/** Where all of its devices are. */
function Figures({ run: { success, failed, sent, total } }: { run: HomeRun }) {
  const parts = [
    [t('成功'), success],
    [t('失败'), failed],
    [t('进行中'), sent],
    [t('未开始'), Math.max(0, total - success - failed - sent)],
  ] as const
  return (
    <span className="home-run-figures grid">
      {parts.map(([label, value]) => (
        <span key={label} className="quiet small">
          {label}
          <b className="block cut bold">{shortFigure(value)}</b>
        </span>
      ))}
    </span>
  )
}

function Run({ run, alone }: { run: HomeRun; alone: boolean }) {
  const { success, failed, total, stage, stages, perMinute } = run
  return (
    <li>
      <Link to={runPath(run)}>
        <span className="home-run-head flex">
          <span className="cut">{run.name}</span>
          <b className="to-end bold">{percent(success + failed, total)}</b>
        </span>
        <StackedProgress parts={partsOf(run)} total={total} label={run.name} />
        <span className="home-run-facts flex quiet small nowrap">
          <span>
            {stages > 1
              ? t('灰度 {stage}/{stages}', { stage, stages })
              : perMinute > 0
                ? t('{count, number} 台/分钟', { count: perMinute })
                : t(kindWords[run.kind])}
          </span>
          {!alone && <span>{t('成功 {success, number}', { success })}</span>}
          {!alone && failed > 0 && <span className="home-bad">{t('失败 {failed, number}', { failed })}</span>}
          <span className="to-end cut">{runLeft(run)}</span>
        </span>
        {alone && <Figures run={run} />}
      </Link>
    </li>
  )
}

interface RunningPanelProps extends Pick<HomeSummary, 'running'> {
  hidden: ReadonlySet<HomePart>
}

export function RunningPanel({ running, hidden }: RunningPanelProps) {
  const all = running.ota + running.task + running.config
  const shown = kinds.filter((kind) => running[kind] > 0)
  const [only, ...others] = shown
  // There is no list of all kinds: of several each leads to its own.
  const note =
    only && others.length === 0 ? (
      <Link to={runsPath(only, running)}>{t('{count, number} 个', { count: all })}</Link>
    ) : (
      t('{count, number} 个', { count: all })
    )
  const links = shown.map((kind) => {
    return { key: kind, to: runsPath(kind, running), text: `${t(kindWords[kind])} ${numberText(running[kind])}` }
  })
  return (
    <Panel title={t('运行中的任务')} note={note} side={<Dotted links={links} />} className="home-running">
      {kinds.every((kind) => hidden.has(kind)) ? (
        <Refused subject={t('运行中的任务')} />
      ) : running.list.length === 0 ? (
        <Nothing>{t('没有运行中的升级、任务或配置下发')}</Nothing>
      ) : (
        <WholeRows
          className={running.list.length === 1 ? 'home-runs home-runs-one' : 'home-runs'}
          label={t('运行中的任务')}
        >
          {running.list.map((run) => (
            <Run key={`${run.kind} ${run.id}`} run={run} alone={running.list.length === 1} />
          ))}
        </WholeRows>
      )}
    </Panel>
  )
}
