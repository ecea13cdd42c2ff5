/** The dark half of the login page: four quiet recordings that end in a live point. */
import { t } from '@ithings/contract/text.ts'

interface Trace {
  label: string
  /** Top of the row in the 760 x 500 drawing. */
  top: number
  /** Height of each sample above the row's base line. */
  samples: number[]
}

/** A slow swing with fine noise from a fixed seed: the same drawing for everybody, and it looks recorded. */
function wave(seed: number, height: number): number[] {
  let state = seed
  const noise = () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return state / 2147483648 - 0.5
  }
  return Array.from({ length: 110 }, (_, i) => {
    const swing = Math.sin(i / 9 + seed) * 0.55 + Math.sin(i / 17 + seed * 2.3) * 0.8
    return (swing + noise() * 0.9) * height
  })
}

const traces: Trace[] = [
  { label: '出水压力', top: 90, samples: wave(7, 17) },
  { label: '瞬时流量', top: 210, samples: wave(31, 11) },
  { label: '箱内温度', top: 330, samples: wave(12, 8) },
]
const end = 708
const x = (i: number, count: number) => 10 + ((end - 10) * i) / (count - 1)
const points = ({ top, samples }: Trace) =>
  samples.map((y, i) => `${x(i, samples.length).toFixed(1)},${(top - y).toFixed(1)}`).join(' ')

const pump = 'M10 452H100V426H252V452H354V426H404V452H556V426H658V452H708'

function Live({ y }: { y: number }) {
  return (
    <>
      <circle className="login-live" cx={end} cy={y} r="9" />
      <circle cx={end} cy={y} r="4" fill="#8FA6FF" />
    </>
  )
}

export function LoginPanel({ title, logo }: { title: string; logo: string }) {
  return (
    <section className="login-panel column between shrink" aria-hidden="true">
      <div className="login-brand row bold gap-12">
        <img src={logo} alt="" />
        {title}
      </div>
      <svg
        className="login-traces fixed wide"
        aria-hidden="true"
        viewBox="0 0 760 500"
        preserveAspectRatio="xMidYMid meet"
      >
        <defs>
          <linearGradient id="login-fade" gradientUnits="userSpaceOnUse" x1="0" x2={end} y1="0" y2="0">
            <stop offset="0" stopColor="#5B78F2" stopOpacity="0" />
            <stop offset="1" stopColor="#8FA6FF" />
          </linearGradient>
        </defs>
        <g stroke="#1B2440">
          {Array.from({ length: 9 }, (_, i) => 84.4 * i).map((at) => (
            <path key={at} d={`M${at} 0V500`} />
          ))}
          {[136, 256, 376, 496].map((at) => (
            <path key={at} d={`M0 ${at}H760`} />
          ))}
        </g>
        <g fill="none" stroke="url(#login-fade)" strokeWidth="1.6" strokeLinejoin="round">
          {traces.map((trace) => (
            <polyline key={trace.label} points={points(trace)} />
          ))}
          <path d={pump} />
        </g>
        <g className="login-labels">
          {traces.map((trace) => (
            <text key={trace.label} x="56" y={trace.top - 30}>
              {t(trace.label)}
            </text>
          ))}
          <text x="56" y="404">
            {t('水泵启停')}
          </text>
        </g>
        {traces.map((trace) => (
          <Live key={trace.label} y={trace.top - (trace.samples.at(-1) ?? 0)} />
        ))}
        <Live y={452} />
      </svg>
      <div style={{ padding: '0 56px' }}>
        <p className="below-16 bare bold" style={{ fontSize: 32, lineHeight: '48px' }}>
          {t('每一台设备，')}
          <br />
          {t('看得见，控得住，查得清。')}
        </p>
        <p className="login-claim-note bare">{t('物模型、实时状态、场景联动、固件升级与告警，在同一处完成。')}</p>
      </div>
    </section>
  )
}
