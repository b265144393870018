/// The release that a fake portal behaves like.
public enum FakePortalVersion: Int, CaseIterable, Sendable {
  /// 6.2: errors are flat and come with status 200, ids are JSON numbers.
  case v62 = 62
  /// 7.0: errors have a status, ids are decimal texts.
  case v70 = 70
  /// 7.1.
  case v71 = 71
  /// 7.2.
  case v72 = 72
  /// 7.3.
  case v73 = 73
}
