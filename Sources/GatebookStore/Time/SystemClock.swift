internal import GatebookCrypto
public import GatebookEvents
internal import Glibc

/// The machine's clocks: `CLOCK_REALTIME` and `CLOCK_BOOTTIME`, which runs on in suspend.
public struct SystemClock: BookClock {
  /// Makes a clock.
  public init() {}

  /// Both clocks, read now.
  public func now() -> Moment {
    var wall = timespec()
    var boot = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    clock_gettime(CLOCK_BOOTTIME, &boot)
    return Moment(
      wall: Timestamp(rawValue: Int64(wall.tv_sec) * 1_000_000 + Int64(wall.tv_nsec) / 1000),
      boot: .seconds(boot.tv_sec) + .nanoseconds(boot.tv_nsec), bootID: Self.bootID)
  }

  /// The kernel's name of this start of the machine, keyed: the log tells starts apart, and no other
  /// program's log can be matched with it (machine-id(5) asks for that of such names).
  private static let bootID: BootID? = {
    guard let name = name(in: "/proc/sys/kernel/random/boot_id") else { return nil }
    let hash = HMAC.sha256(key: Array("gatebook/boot".utf8), name)
    return BootID(Hex.encode(hash.prefix(8)))
  }()

  /// What a small file of the kernel says; `nil` where there is none.
  private static func name(in path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}
