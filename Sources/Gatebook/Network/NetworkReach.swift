/// How far the machine's network reaches, by its routes; it does not say whether a server answers.
public enum NetworkReach: Int, Comparable, Sendable {
  /// No route leaves the machine.
  case nowhere
  /// Only to the networks that the machine is attached to.
  case attached
  /// Everywhere: there is a default route.
  case everywhere

  /// Whether the left one reaches less far.
  public static func < (left: NetworkReach, right: NetworkReach) -> Bool {
    left.rawValue < right.rawValue
  }
}
