internal import Gatebook

/// What an agent has answered so far, by the programs that asked.
struct AgentUses: Sendable {
  /// The answers to one program.
  struct Use: Sendable {
    var process: Int32
    var count: Int
  }

  private(set) var programs: [String: Use] = [:]
  /// How many requests went to servers.
  private(set) var requests = 0
  /// How many calls and requests were refused.
  private(set) var refused = 0

  /// More programs than that are counted as one: no program can fill the memory.
  private static let most = 256
  private static let others = "others"

  mutating func count(_ program: CallingProgram?, isRequest: Bool) {
    if isRequest { requests += 1 }
    var path = program?.path ?? "unknown"
    if programs[path] == nil, programs.count >= Self.most { path = Self.others }
    programs[path, default: Use(process: 0, count: 0)].count += 1
    programs[path]?.process = program?.process ?? 0
  }

  mutating func refuse() { refused += 1 }
}
