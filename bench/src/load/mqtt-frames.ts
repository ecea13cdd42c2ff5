/** MQTT packets by hand: a whole client a connection would measure itself. */
export interface SignInWords {
  clientID: string
  userName: string
  password: string
}

export const field = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

export function remaining(length: number): Buffer {
  const bytes: number[] = []
  let rest = length
  do {
    const low = rest % 128
    rest = Math.floor(rest / 128)
    bytes.push(rest > 0 ? low | 0x80 : low)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const packet = (head: number, body: Buffer): Buffer =>
  Buffer.concat([Buffer.from([head]), remaining(body.length), body])

export function connectFrame({ clientID, userName, password }: SignInWords, keepaliveSeconds = 60): Buffer {
  const head = Buffer.concat([
    field('MQTT'),
    Buffer.from([4, 0b1100_0010, keepaliveSeconds >> 8, keepaliveSeconds & 255]),
  ])
  return packet(0x10, Buffer.concat([head, field(clientID), field(userName), field(password)]))
}

const number = (id: number): Buffer => Buffer.from([id >> 8, id & 255])

export const subscribeFrame = (topics: readonly string[]): Buffer =>
  packet(0x82, Buffer.concat([number(1), ...topics.map((topic) => Buffer.concat([field(topic), Buffer.from([1])]))]))

export const publishFrame = (topic: string, id: number, payload: string): Buffer =>
  packet(0x32, Buffer.concat([field(topic), number(id), Buffer.from(payload)]))

export const pubackFrame = (id: number): Buffer => packet(0x40, number(id))

export interface Packet {
  /** 2 CONNACK, 3 PUBLISH, 4 PUBACK, 9 SUBACK. */
  kind: number
  qos: number
  body: Buffer
}

/** @returns the whole packets of what has come so far, and what is left of the last one */
export function readPackets(data: Buffer): { packets: Packet[]; left: Buffer } {
  const packets: Packet[] = []
  let at = 0
  for (;;) {
    let length = 0
    let shift = 0
    let next = at + 1
    let byte = 0x80
    for (; byte & 0x80 && next < data.length; next++, shift += 7) {
      byte = data[next] as number
      length += (byte & 0x7f) << shift
    }
    if (byte & 0x80 || next + length > data.length) return { packets, left: data.subarray(at) }
    const head = data[at] as number
    packets.push({ kind: head >> 4, qos: (head >> 1) & 3, body: data.subarray(next, next + length) })
    at = next + length
  }
}

/** Topic, packet number (0 without one) and content of a PUBLISH. */
export function readPublish({ body, qos }: Packet): { topic: string; id: number; payload: Buffer } {
  const length = body.readUInt16BE(0)
  const rest = 2 + length
  return {
    topic: body.toString('utf8', 2, rest),
    id: qos > 0 ? body.readUInt16BE(rest) : 0,
    payload: body.subarray(qos > 0 ? rest + 2 : rest),
  }
}
