/** The error catalogue (errors.md): codes that existing consoles and devices know, and a range of our own, 9000xx. */
import { fill, keep, phrase, sayParts, type TextValues, type Translate, type Words } from './text.ts'

export const errors = {
  fallback: { code: 100001, msg: '其他错误' },
  tokenExpired: { code: 100002, msg: 'token已经过期' },
  tokenNotValidYet: { code: 100003, msg: 'token还未生效' },
  tokenMalformed: { code: 100004, msg: 'token格式错误' },
  tokenInvalid: { code: 100005, msg: '违法的token' },
  parameter: { code: 100006, msg: '参数错误' },
  system: { code: 100007, msg: '系统错误' },
  database: { code: 100008, msg: '数据库错误' },
  notFound: { code: 100009, msg: '未查询到' },
  duplicate: { code: 100010, msg: '参数重复' },
  signatureExpired: { code: 100011, msg: '签名已经过期' },
  permission: { code: 100012, msg: '权限不足' },
  method: { code: 100013, msg: 'method不支持' },
  type: { code: 100014, msg: '参数的类型不对' },
  outOfRange: { code: 100015, msg: '参数的值超出范围' },
  timeout: { code: 100016, msg: '等待超时' },
  server: { code: 100017, msg: '本实例处理不了该信息' },
  notRealized: { code: 100018, msg: '尚未实现' },
  notEmpty: { code: 100019, msg: '不为空' },
  panic: { code: 100020, msg: '系统异常，请联系开发者' },
  notEnabled: { code: 100021, msg: '未启用' },
  enterprise: { code: 100022, msg: '该功能是企业版功能' },
  script: { code: 100023, msg: '脚本执行失败' },
  ongoing: { code: 100024, msg: '正在执行中' },
  failure: { code: 100025, msg: '执行失败,需要回滚' },
  duplicateUserName: { code: 1000001, msg: '用户名已经注册' },
  duplicateMobile: { code: 1000002, msg: '手机号已经被占用' },
  unregistered: { code: 1000003, msg: '未注册' },
  password: { code: 1000004, msg: '账号或密码错误' },
  captcha: { code: 1000005, msg: '验证码错误' },
  uidNotRight: { code: 1000006, msg: 'uid不对' },
  notLoggedIn: { code: 1000007, msg: '尚未登录' },
  duplicateRegister: { code: 1000023, msg: '重复注册' },
  needUserName: { code: 1000024, msg: '需要填入用户名' },
  passwordLevel: { code: 1000025, msg: '密码强度不够' },
  userNameFormat: {
    code: 1000027,
    msg: '账密方式时，账号必须以大小写字母开头，且账号只能包含大小写字母，数字，下划线和减号。 长度为6到20位之间',
  },
  accountFrozen: { code: 1000028, msg: '密码输入错误过多，账号冻结' },
  useCaptcha: { code: 1000029, msg: '账号或密码错误' },
  respParam: { code: 2000001, msg: '返回参数不对' },
  deviceTimeout: { code: 2000002, msg: '设备回复超时' },
  notOnline: { code: 2000003, msg: '设备不在线' },
  deviceError: { code: 2000004, msg: '设备回复错误' },
  otaRetryStatus: { code: 2100001, msg: '升级状态不允许重新升级' },
  otaCancelStatus: { code: 2100002, msg: '升级状态已结束' },
  staleEdit: { code: 900001, msg: '数据已被他人修改，请刷新后重试' },
  rateLimited: { code: 900002, msg: '请求过于频繁，请稍后再试' },
  quota: { code: 900003, msg: '配额或存储空间已满' },
  jobCancelled: { code: 900004, msg: '任务已取消' },
  secondFactorNeeded: { code: 900011, msg: '请输入两步验证码' },
  secondFactorWrong: { code: 900012, msg: '两步验证码错误或已使用过' },
  secondFactorStale: { code: 900013, msg: '这项操作需要再次输入两步验证码' },
  secondFactorMissing: { code: 900014, msg: '你的角色要求两步验证，请先启用' },
  passkey: { code: 900021, msg: '通行密钥验证失败' },
} as const satisfies Record<string, CatalogueError>

export interface CatalogueError {
  readonly code: number
  readonly msg: string
}

export interface AppErrorOptions {
  /** Appended as `msg:detail`. */
  detail?: Words
  /** Replaces the catalogue text. */
  msg?: Words
  /** The form field that the console should mark. */
  field?: string
  /** HTTP status, where it is not the usual one of the code (errors.md: a denial of auth5 is 400). */
  status?: number
  cause?: unknown
}

/**
 * A refusal with a catalogue code and a sentence for people; mapped to HTTP and to device replies at one place each. Its
 * message is Chinese, as logs and devices have it; `say` puts it into another language.
 */
export class AppError extends Error {
  readonly #parts: Words[]
  readonly code: number
  readonly field: string | undefined
  readonly status: number | undefined

  constructor(entry: CatalogueError, options: AppErrorOptions = {}) {
    const parts = [options.msg ?? entry.msg, options.detail ?? ''].filter((part) => part !== '')
    super(sayParts(parts, fill), { cause: options.cause })
    this.#parts = parts
    this.name = 'AppError'
    this.code = entry.code
    this.field = options.field
    this.status = options.status
  }

  say(by: Translate): string {
    return sayParts(this.#parts, by)
  }

  /** For a column or an answer, to be said when somebody reads it. */
  kept(): string {
    return keep(this.#parts)
  }
}

/** The usual refusal: the code, and what is wrong as a sentence to translate. */
export const refusal = (
  entry: CatalogueError,
  text: string,
  values?: TextValues,
  more?: Omit<AppErrorOptions, 'detail'>,
): AppError => new AppError(entry, { ...more, detail: phrase(text, values) })

/** A parameter that has to be mended, with the form field that the console should mark. */
export const badField = (field: string, text: string, values?: TextValues): AppError =>
  new AppError(errors.parameter, { detail: phrase(text, values), field })
