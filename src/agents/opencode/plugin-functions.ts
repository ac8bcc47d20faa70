/** What our plugin in OpenCode needs and keeps nothing in: the end of its file, behind `plugin.ts`. */
export const PLUGIN_FUNCTIONS = `function findRoot(directory) {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at
    if (dirname(at) === at) return directory
  }
}

const describe = (args) => ({ subagent_type: args?.subagent_type, description: args?.description })

// What \`entire\` replies, the empty text for most verbs; undefined where it did not end well. It belongs to no terminal, so
// that Ctrl-C leaves it alone.
const callEntire = (directory, verb, payload) =>
  new Promise((done) => {
    const isWindows = process.platform === "win32"
    const child = spawn("entire", ["hooks", "opencode", verb], {
      cwd: directory,
      stdio: ["pipe", verb === "compacted" ? "pipe" : "ignore", "ignore"],
      windowsHide: true,
      shell: isWindows,
      detached: !isWindows,
    })
    const timer = setTimeout(() => {
      child.unref()
      child.stdout?.destroy()
      done({})
    }, PATIENCE_MS[verb] ?? OTHER_PATIENCE_MS)
    let reply = ""
    child.stdout?.setEncoding("utf8").on("data", (text) => {
      if (reply.length <= MAX_REPLY_CHARS) reply += text
    })
    child.on("error", (error) => {
      clearTimeout(timer)
      done({ isMissing: error.code === "ENOENT" })
    })
    child.on("close", (code) => {
      clearTimeout(timer)
      done(code === 0 ? { reply } : {})
    })
    child.stdin.on("error", () => {})
    child.stdin.end(JSON.stringify({ ...payload, cwd: directory }))
  })

// Where the message is that asked for the last compaction, once there is a summary.
function findCompaction(messages) {
  // Messages that were kept from before it stand behind it.
  const summaries = messages.filter(({ info }) => info.summary === true && info.finish && !info.error)
  const asked = summaries.sort((a, b) => b.info.time.created - a.info.time.created)[0]?.info.parentID
  return asked === undefined ? -1 : messages.findIndex(({ info }) => info.id === asked)
}

function readReply(reply) {
  try {
    const { additionalContext } = JSON.parse(reply)
    return typeof additionalContext === "string" ? additionalContext : ""
  } catch {
    return ""
  }
}

const isFinished = ({ info }) => info.role !== "assistant" || Boolean(info.time?.completed ?? info.error)

const sizeOf = (value) => Buffer.byteLength(JSON.stringify(value))

// At least one, which may be empty. Parts that are too long for any (pictures, for one) are left out.
function chunksOf(messages) {
  const chunks = [[]]
  let bytes = 0
  for (const whole of messages) {
    let message = { info: whole.info, parts: whole.parts }
    if (sizeOf(message) > MAX_BYTES)
      message = { ...message, parts: message.parts.filter((part) => sizeOf(part) <= MAX_PART_BYTES) }
    if (sizeOf(message) > MAX_BYTES) message = { ...message, parts: [] }
    bytes += sizeOf(message)
    if (bytes > MAX_BYTES) {
      chunks.push([])
      bytes = sizeOf(message)
    }
    chunks.at(-1).push(message)
  }
  return chunks
}

// The text of a file: null where there is none, undefined where it is no text or too long.
async function readBefore(file) {
  try {
    const stat = await lstat(file)
    if (!stat.isFile() || stat.size > MAX_PART_BYTES) return undefined
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(await readFile(file))
  } catch (error) {
    return error.code === "ENOENT" ? null : undefined
  }
}
`;
